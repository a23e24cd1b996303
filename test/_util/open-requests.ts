import type { BrowserContext, Page, Request } from 'playwright-core'

const open = new WeakMap<Page, Set<Request>>()

/** From now on it is known which requests of a context's pages are under way. */
export function watchRequests(context: BrowserContext): void {
  const ended = (request: Request) => void pageOf(request)?.delete(request)
  context.on('request', (request) => {
    // A stream of events stays open for as long as its page.
    if (request.resourceType() !== 'eventsource') pageOf(request)?.add(request)
  })
  context.on('requestfinished', ended)
  context.on('requestfailed', ended)
}

/** How many requests of a page are under way, of one whose context is watched. */
export function openRequests(page: Page): number {
  return open.get(page)?.size ?? 0
}

function pageOf(request: Request): Set<Request> | null {
  // What a worker of the browser asks for belongs to no page.
  if (request.serviceWorker()) return null
  let page: Page
  try {
    page = request.frame().page()
  } catch {
    // The first of a page, which is not there yet: the page has its own way to wait for it.
    return null
  }
  const requests = open.get(page) ?? new Set()
  open.set(page, requests)
  return requests
}
