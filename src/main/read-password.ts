import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/**
 * Reads a secret from standard input: typed unseen at a terminal, else everything that comes in, without a line break at
 * the end.
 */
export async function readPassword(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    const chunks: Buffer[] = []
    for await (const chunk of stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
      .toString('utf8')
      .replace(/\r?\n$/, '')
  }
  stderr.write(prompt)
  // A terminal in raw mode echoes through the interface's output alone; this one shows nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new InterruptedError('Nothing was done.')))
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

/** Ctrl-C at the prompt. */
export class InterruptedError extends Error {
  override name = 'InterruptedError'
}
