// Runs before the first paint and before the program is loaded.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be blocked; the system's scheme and the default language are used then.
      return null;
    }
  };
  // A dark page must never flash white. The key is the one that the page's colour scheme toggle writes.
  const chosen = read('mantine-color-scheme-value');
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // What web/traffic/startup/startup.ts asks for, by the same addresses: it travels while the program is loaded.
  const version = document.querySelector('meta[name="translation-version"]').content;
  const language = read('activeLang') === 'zh_HK' ? 'zh_HK' : 'en_US';
  for (const href of [
    `/api/translations?v=${version}&language=${language}`,
    `/api/startup?_t=${Math.floor(Date.now() / 60_000)}`,
  ])
    document.head.append(
      Object.assign(document.createElement('link'), {
        rel: 'preload',
        as: 'fetch',
        crossOrigin: 'anonymous',
        href,
      }),
    );
})();
