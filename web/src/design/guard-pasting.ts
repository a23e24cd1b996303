/** Takes control characters out of what is pasted into fields, once one can have the focus. Called once. */
export function guardPasting(): void {
  const load = () =>
    void import('./pasting.ts').then(
      ({ takePasted }) => takePasted(),
      // Browsers paste by themselves.
      () => {},
    )
  document.addEventListener('focusin', load, { once: true })
}
