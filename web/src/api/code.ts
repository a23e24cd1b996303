import { lazy } from 'react'
import { withWords } from '../language/language.ts'
import { type ApiError, unreachable } from './api-error.ts'
import { askServer, onReachable } from './reachable.ts'

/** What browsers say of code, and the build of its styles, that could not be loaded. */
const MISSING = /^(Failed to fetch dyn|error loading dyn|Importing a mod|Unable to preload)/

/** Whether an error is that code could not be loaded. */
export const isCodeMissing = (error: unknown): boolean => error instanceof Error && MISSING.test(error.message)

/** A part of a screen that is loaded when it is needed. Without the server it is waited for, and comes with it. */
export const lazyCode: typeof lazy = (load) => lazy(() => codeOf(load))

/** The same with its words. What the calendar may begin with has them, and is `lazyCode`. */
export const lazyWithWords: typeof lazy = (load) => lazy(() => codeOf(() => withWords(load())))

/**
 * Loads code as soon as it can be. The server of a newer version no longer has the code of this page: then the page is
 * loaded again, once.
 *
 * @throws the error of the second try, when that did not help
 */
async function codeOf<Code>(load: () => Promise<Code>): Promise<Code> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load()
    } catch (error) {
      if (!(error instanceof Error && isCodeMissing(error))) throw error
      if (!(await askServer())) {
        await new Promise<void>((resolve) => void onReachable(resolve))
        tries = 0
      } else if (tries > 1) {
        await loadPageAgain(error.message)
        throw error
      }
    }
  }
}

/** Resolves only when it has been tried in this tab, for the same. */
async function loadPageAgain(why: string): Promise<void> {
  const key = `loaded again: ${why}`
  if (sessionStorage.getItem(key) !== null) return
  sessionStorage.setItem(key, '1')
  window.location.reload()
  await new Promise(() => {})
}

/**
 * For code that an action needs: without the server the action is not done, and `tell` is called. Styles that could not be loaded are
 * asked for again with their code only when their link is gone.
 */
export function watchCode(tell: (error: ApiError) => void): void {
  const act = async (why: string) => {
    if (await askServer()) await loadPageAgain(why)
    tell(unreachable())
  }
  window.addEventListener('unhandledrejection', (event) => {
    if (!isCodeMissing(event.reason)) return
    event.preventDefault()
    void act(event.reason.message)
  })
  const drop = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove()
  }
  document.addEventListener('error', drop, { capture: true })
}
