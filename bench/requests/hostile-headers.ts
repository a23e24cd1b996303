import { attacks, hostileText, sendable } from '../../test/_util/api/hostile-text.ts'

/** Headers of 16 KiB in all, which is what Node lets through, of one text each. */
export interface HostileHeaders {
  name: string
  headers: Record<string, string>
}

/** What the checker of expressions found, and what parsers of headers split by. */
function texts(): Map<string, (length: number) => string> {
  const found = attacks().map((attack): [string, (length: number) => string] => [
    attack.pumps.map(({ pump }) => pump).join(),
    (length) => hostileText(attack, length),
  ])
  const units = [
    ' ',
    ',',
    ';',
    '=',
    '"',
    '\\',
    '-',
    ' ;',
    '1-,',
    '"a",',
    'a=1;',
    'q=0;',
    '%41',
    'a/b;q=0.1,',
    '1.1.1.1,',
    'a.',
  ]
  return new Map([
    ...found,
    ...units.map((unit): [string, (length: number) => string] => [unit, (length) => unit.repeat(length / unit.length)]),
  ])
}

/**
 * Every text in every header that is read: as long as its bound lets it be where there is one. `cookie` and `authorization` of the
 * caller stay, but in those that are about them.
 */
export function hostileHeaders(own: Readonly<Record<string, string>>): HostileHeaders[] {
  return [...texts()].flatMap(([unit, textOf]) => {
    const text = (length: number) => sendable(textOf(length), length)
    const name = JSON.stringify(unit)
    return [
      {
        name: `${name} in headers that may be left out`,
        headers: {
          ...own,
          accept: `*/*, ${text(1_000)}`,
          'accept-language': text(1_024),
          'if-none-match': text(1_024),
          'if-range': text(1_024),
          range: `bytes=${text(1_000)}`,
          'user-agent': text(1_024),
          'x-forwarded-for': text(2_000),
          referer: text(2_000),
          cookie: `${own.cookie ? `${own.cookie}; ` : ''}a=${text(4_500)}`,
        },
      },
      {
        name: `${name} in headers that are refused`,
        headers: {
          ...own,
          'if-match': text(1_024),
          'idempotency-key': text(1_024),
          'upload-length': text(1_024),
          'upload-offset': text(1_024),
          'upload-metadata': text(4_096),
          'almanac-acting-as': text(1_024),
          'tus-resumable': text(1_024),
          'sec-fetch-site': text(1_024),
          origin: text(2_000),
        },
      },
      { name: `${name} as a type`, headers: { ...own, 'content-type': `application/json;${text(14_000)}` } },
      { name: `${name} as a key`, headers: { ...own, authorization: `Bearer ${text(14_000)}` } },
    ]
  })
}
