/** A file on its way through a reload of the page, which a store of texts can't hold. It is kept for no longer. */
const DATABASE = 'carried';
const STORE = 'files';

const openDatabase = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });

const withStore = async <Result>(act: (files: IDBObjectStore) => IDBRequest<Result>): Promise<Result> => {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite');
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
};

export const carryFile = async (key: string, file: File): Promise<void> => {
  await withStore((files) => files.put(file, key));
};

/** Gives it back once. */
export const takeCarriedFile = async (key: string): Promise<File | undefined> => {
  const file: unknown = await withStore((files) => files.get(key));
  await withStore((files) => files.delete(key));
  return file instanceof File ? file : undefined;
};

/** What a tab left behind that was closed while it reloaded. */
export const forgetCarriedFiles = (): void => {
  globalThis.indexedDB?.deleteDatabase(DATABASE);
};
