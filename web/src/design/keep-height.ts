/** Keeps how high an element is, in pixels, in a property of the page. Answers what ends that. */
export function keepHeight(element: HTMLElement, property: `--${string}`): () => void {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty(property, `${element.offsetHeight}px`))
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty(property)
  }
}
