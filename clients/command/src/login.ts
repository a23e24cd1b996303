import { EXIT, type Exit, type Io, WrongUse } from './io.ts'
import { allowOptions, type Given } from './options.ts'
import { clientOf, keepSettings } from './settings.ts'
import { plain } from './show.ts'

/** `login`: asks for address and key, tries them, and keeps them. A key is never an argument: others see those. */
export async function login(io: Io, given: Given): Promise<Exit> {
  allowOptions(given, 'login', ['url'])
  if (given.words.length > 0) throw new WrongUse('The key is asked for, or read from standard input.')
  const url = (given.options.url ?? (await io.ask?.('Address of Almanac: ')) ?? '').trim()
  if (url === '') throw new WrongUse('Name the address: --url https://almanac.example.com')
  const key = (io.ask ? await io.ask('API key: ', { isSecret: true }) : await io.readInput()).trim()
  const almanac = clientOf(io, { url, key })
  const { data } = await almanac.socialSets.list({ size: 100 }, { signal: io.signal })
  const path = await keepSettings(io, { url, key })
  const brands = data.map(({ name }) => plain(name)).join(', ')
  io.report(
    `${brands === '' ? 'The key is good and sees no brand yet.' : `The key sees: ${brands}.`}\nKept in ${path}\n`,
  )
  return EXIT.done
}
