import type { BrowserContext, Page, Request } from 'playwright-core'

const open = new WeakMap<Page, Map<Request, number>>()

/** Of some requests that a page has left the browser never says that they ended. */
const LEFT_MS = 5_000

/** From now on it is known which requests of a context's pages are under way. */
export function watchRequests(context: BrowserContext): void {
  const ended = (request: Request) => void pageOf(request)?.delete(request)
  context.on('request', (request) => {
    // A stream of events stays open for as long as its page.
    if (request.resourceType() !== 'eventsource') pageOf(request)?.set(request, Date.now())
  })
  context.on('requestfinished', ended)
  context.on('requestfailed', ended)
}

/** How many requests of a page are under way, of one whose context is watched. */
export function openRequests(page: Page): number {
  const begun = [...(open.get(page)?.values() ?? [])]
  return begun.filter((at) => Date.now() - at < LEFT_MS).length
}

function pageOf(request: Request): Map<Request, number> | null {
  // What a worker of the browser asks for belongs to no page.
  if (request.serviceWorker()) return null
  let page: Page
  try {
    page = request.frame().page()
  } catch {
    // The first of a page, which is not there yet: the page has its own way to wait for it.
    return null
  }
  const requests = open.get(page) ?? new Map<Request, number>()
  open.set(page, requests)
  return requests
}
