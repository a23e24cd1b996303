import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Io } from './io.ts'
import { run } from './run.ts'

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stopped.abort(new Error('Stopped.')))
}
// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  now: () => new Date(),
  write: (words) => void process.stdout.write(words),
  report: (words) => void process.stderr.write(words),
  readInput: () => text(process.stdin),
  ask: process.stdin.isTTY ? ask : null,
  signal: stopped.signal,
  fetch: (...request) => globalThis.fetch(...request),
}

function ask(question: string, { isSecret = false } = {}): Promise<string> {
  const silent = new Writable({ write: (_, __, done) => done() })
  process.stderr.write(question)
  const lines = createInterface({ input: process.stdin, output: isSecret ? silent : process.stderr, terminal: true })
  return new Promise((resolve, reject) => {
    lines.once('line', (answer) => {
      resolve(answer)
      if (isSecret) process.stderr.write('\n')
      lines.close()
    })
    lines.once('SIGINT', () => {
      stopped.abort(new Error('Stopped.'))
      lines.close()
    })
    // Without an answer: the end of the input, or the person has stopped it.
    lines.once('close', () => (stopped.signal.aborted ? reject(stopped.signal.reason) : resolve('')))
  })
}

process.exitCode = await run(process.argv.slice(2), io)
// What could still be typed keeps it from ending. A file has nothing of the kind.
process.stdin.unref?.()
