// Loaded into a worker before its own code (`node --import`): names the worker in its requests, and moves its clock.
import { subscribe } from 'node:diagnostics_channel'

const worker = process.env.CRASH_WORKER ?? ''
subscribe('undici:request:create', ({ request }) => request.addHeader('x-crash-worker', worker))

let offsetMs = 0
const RealDate = Date
// `Date` alone: the monotonic clock and timers go on, as when the clock of a machine is set.
globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offsetMs)
    else super(...values)
  }
  static [Symbol.hasInstance](value) {
    return value instanceof RealDate
  }
  static now() {
    return RealDate.now() + offsetMs
  }
}
process.on('message', (order) => {
  offsetMs = order.offsetMs
})
process.channel?.unref()
