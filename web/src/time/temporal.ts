/**
 * Makes `Temporal` a global where the browser has none. Awaited once, before the first render: everything else may use
 * it as it is.
 */
export async function loadTemporal(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
}
