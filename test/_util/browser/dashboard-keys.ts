import type { Locator, Page } from 'playwright-core'

/** A task done without a pointer: counts keys, and notices every use of a mouse, a pen or a finger. */
export interface KeyboardTask {
  /** Key presses so far, without the characters of `type`. */
  presses(): number
  press(key: string, times?: number): Promise<void>
  /** Types text into what has the focus. */
  type(text: string): Promise<void>
  /** Presses a key until an element has the focus. Throws with what was passed on the way after `limit` presses. */
  pressUntil(key: string, element: Locator, limit?: number): Promise<void>
  /** Throws when a pointer was used, or when more than `limit` keys were pressed. */
  finish(limit?: number): void
}

const WATCH = `addEventListener('pointerdown', (event) => {
  if (event.isTrusted) almanacPointerUsed(event.target.outerHTML.slice(0, 160))
}, true)`

/** Begins on a page that is already open. `limit` is the most keys that a task of the dashboard may need. */
export async function keyboardTask(page: Page): Promise<KeyboardTask> {
  const pointed: string[] = []
  let presses = 0
  await page.exposeFunction('almanacPointerUsed', (target: string) => void pointed.push(target))
  await page.addInitScript(WATCH)
  await page.evaluate(WATCH)

  const task: KeyboardTask = {
    presses: () => presses,
    async press(key, times = 1) {
      for (let time = 0; time < times; time++) {
        presses++
        await page.keyboard.press(key)
      }
    },
    type: (text) => page.keyboard.type(text),
    async pressUntil(key, element, limit = 40) {
      const passed: string[] = []
      for (let time = 0; time <= limit; time++) {
        if ((await element.count()) > 0 && (await element.first().evaluate((element) => element.matches(':focus'))))
          return
        passed.push(await page.evaluate<string>('document.activeElement?.outerHTML.slice(0, 120) ?? "nothing"'))
        if (time < limit) await task.press(key)
      }
      throw new Error(`${key} did not reach ${element} in ${limit} presses. It passed:\n${passed.join('\n')}`)
    },
    finish(limit = 40) {
      if (pointed.length > 0) throw new Error(`A pointer was used on:\n${pointed.join('\n')}`)
      if (presses > limit) throw new Error(`The task took ${presses} key presses; ${limit} are allowed.`)
    },
  }
  return task
}
