import {
  type Almanac,
  AlmanacError,
  ApiError,
  ConnectionError,
  MediaUploadError,
  ServerError,
} from '../../typescript/src/index.ts'
import manifest from '../package.json' with { type: 'json' }
import { HELP } from './help.ts'
import { EXIT, type Exit, type Io, WrongUse } from './io.ts'
import { login } from './login.ts'
import { media } from './media.ts'
import { type Given, readOptions } from './options.ts'
import { post, validate } from './post.ts'
import { push } from './push.ts'
import { list, results, watch } from './read.ts'
import { openClient } from './settings.ts'
import { plain } from './show.ts'

type Command = (io: Io, almanac: Almanac, given: Given) => Promise<Exit>

const COMMANDS: Readonly<Record<string, Command>> = { post, list, validate, results, watch, media, push }

/** Does what was typed behind `almanac-post`, and answers how it ended. */
export async function run(args: readonly string[], io: Io): Promise<Exit> {
  try {
    return await dispatch(args, io)
  } catch (error) {
    return explain(error, io)
  }
}

async function dispatch(args: readonly string[], io: Io): Promise<Exit> {
  const [name, ...rest] = args
  if (name === undefined) throw new WrongUse(HELP.trimEnd())
  const given = readOptions(name.startsWith('-') && name !== '-' ? args : rest)
  const { options } = given
  if (options.version && given.words.length === 0) return write(io, `${manifest.version}\n`)
  if (options.help || name === 'help') return write(io, HELP)
  if (name === 'login') return login(io, given)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new WrongUse(`There is no command ${name}. almanac-post --help lists them.`)
  return command(io, await openClient(io), given)
}

function write(io: Io, text: string): Exit {
  io.write(text)
  return EXIT.done
}

/** In words, on standard error. */
function explain(error: unknown, io: Io): Exit {
  if (io.signal.aborted) return EXIT.failed
  if (error instanceof WrongUse) {
    io.report(`${error.message}\n`)
    return EXIT.wrongUse
  }
  if (error instanceof ServerError || error instanceof MediaUploadError) {
    io.report(`${plain(error.message)}${error instanceof ServerError ? of(error) : ` (${error.code})`}\n`)
    return EXIT.failed
  }
  if (error instanceof ApiError) {
    io.report(`${plain(error.message)}${of(error)}\n`)
    for (const { path, message } of error.errors) io.report(`  ${path}: ${plain(message)}\n`)
    return EXIT.refused
  }
  if (error instanceof ConnectionError) {
    io.report(`${error.message}${causeOf(error)}\n`)
    return EXIT.notReached
  }
  if (error instanceof AlmanacError) {
    io.report(`${error.message}\n`)
    return EXIT.failed
  }
  throw error
}

const of = ({ code, requestId }: ApiError) => ` (${code}${requestId === null ? '' : `, request ${requestId}`})`

function causeOf({ cause }: Error): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : null
  return inner instanceof Error && inner.message !== '' ? ` ${inner.message}` : ''
}
