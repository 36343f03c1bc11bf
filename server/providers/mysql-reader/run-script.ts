import mysql from 'mysql2';
import { deniedInWords } from './in-words.ts';

const CONNECT_MS = 5_000;

/** Runs statements that make something, by a user who may: never by the one who reads. */
export const runScript = async (url: string, script: string): Promise<void> => {
  const connection = mysql.createConnection({
    uri: url,
    multipleStatements: true,
    charset: 'utf8mb4_general_ci',
    connectTimeout: CONNECT_MS,
  });
  connection.on('error', () => {});
  try {
    await connection
      .promise()
      .query(script)
      .catch((error) => {
        throw new Error(deniedInWords(error));
      });
  } finally {
    connection.destroy();
  }
};
