import { deflateSync } from 'node:zlib'

/** Small documents for tests. Objects 1 and 2 are the catalog and the tree of pages, 3 a font; what is given comes behind them. */

interface Pdf {
  /** How many alike pages; default: 1. */
  pages?: number
  /** What stands in each page beside its size. */
  page?: string
  /** Numbers of its corners; default: `0 0 300 200`. */
  box?: string
  /** What is drawn on each. */
  content?: string | Buffer
  /** What stands in the catalog. */
  catalog?: string
  /** Further objects, whose numbers begin at `FURTHER`. */
  objects?: readonly (string | Buffer)[]
  /** Instead of the tree of pages. */
  tree?: string
  trailer?: string
}

export const FURTHER = 10
const TEXT = 'BT /F 24 Tf 20 100 Td (Page) Tj ET'

export function pdf({
  pages = 1,
  page = '',
  box = '0 0 300 200',
  content = TEXT,
  catalog = '',
  objects = [],
  tree,
  trailer = '',
}: Pdf = {}): Buffer {
  const first = FURTHER + objects.length
  const kids = Array.from({ length: pages }, (_, index) => `${first + index} 0 R`).join(' ')
  const all = new Map<number, string | Buffer>([
    [1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`],
    [2, tree ?? `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`],
    [3, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
    [4, stream(content)],
    ...objects.map((object, index) => [FURTHER + index, object] as const),
  ])
  for (let index = 0; index < pages; index++) {
    const own = `/Parent 2 0 R/MediaBox[${box}]/Contents 4 0 R/Resources<</Font<</F 3 0 R>>>>`
    all.set(first + index, `<</Type/Page${own}${page}>>`)
  }
  return written(all, trailer)
}

/** A stream with its length; `packed`: as zlib packs it. */
export function stream(bytes: string | Buffer, dictionary = '', packed = false): Buffer {
  const data = packed ? deflateSync(bytes) : Buffer.from(bytes)
  const head = `<<${dictionary}${packed ? '/Filter/FlateDecode' : ''}/Length ${data.length}>>stream\n`
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')])
}

function written(objects: ReadonlyMap<number, string | Buffer>, trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  let at = parts[0]?.length ?? 0
  const places = new Map<number, number>()
  for (const [number, body] of objects) {
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')])
    places.set(number, at)
    at += part.length
    parts.push(part)
  }
  const size = Math.max(...places.keys()) + 1
  const lines = Array.from({ length: size }, (_, number) => {
    const place = places.get(number)
    return place === undefined ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const end = `xref\n0 ${size}\n${lines.join('')}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}
