import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** A JPEG as a page of a document. */
export interface PdfPage {
  width: number
  height: number
  bytes: number
  open(range?: { start: number; end: number }): Promise<Readable>
}

/** A part of the file: text, or the bytes of a picture as they are. */
type Piece = string | PdfPage

/**
 * A PDF of pictures, one a page, each as large as the picture has pixels. Nothing in it says when or where it was made, so the same
 * pictures and title give the same bytes. Only one picture is open at a time; none is held.
 */
export async function picturePdf(
  pages: readonly PdfPage[],
  title: string,
): Promise<{ bytes: number; open(): Readable }> {
  const objects: Piece[][] = [
    ['<</Type/Catalog/Pages 2 0 R>>'],
    [`<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, index) => `${numberOf(index)} 0 R`).join(' ')}]>>`],
    [`<</Title<${Buffer.from(`\ufeff${title}`, 'utf16le').swap16().toString('hex')}>>>`],
  ]
  for (const [index, page] of pages.entries()) {
    const [at, content, picture] = [numberOf(index), numberOf(index) + 1, numberOf(index) + 2]
    const { width, height, bytes } = page
    const drawing = `q ${width} 0 0 ${height} 0 0 cm /P Do Q`
    objects[at - 1] = [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${content} 0 R/Resources<</XObject<</P ${picture} 0 R>>>>>>`,
    ]
    objects[content - 1] = [`<</Length ${drawing.length}>>stream\n${drawing}\nendstream`]
    const color = COLORS[await componentsOf(page)] ?? 'DeviceRGB'
    const what = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/${color}/BitsPerComponent 8`
    objects[picture - 1] = [`<<${what}/Filter/DCTDecode/Length ${bytes}>>stream\n`, page, '\nendstream']
  }
  const pieces = fileOf(objects)
  return {
    bytes: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
    open: () => Readable.from(bytesOf(pieces), { objectMode: false }),
  }
}

/** Of a page: behind the catalog, the tree of pages and the title; its drawing and its picture follow it. */
const numberOf = (index: number) => 4 + index * 3
const COLORS: Readonly<Record<number, string>> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }
const lengthOf = (piece: Piece) => (typeof piece === 'string' ? piece.length : piece.bytes)

function fileOf(objects: readonly Piece[][]): Piece[] {
  const pieces: Piece[] = ['%PDF-1.4\n']
  let at = lengthOf(pieces[0] ?? '')
  const places: number[] = []
  for (const [index, object] of objects.entries()) {
    places.push(at)
    for (const piece of [`${index + 1} 0 obj\n`, ...object, '\nendobj\n']) {
      pieces.push(piece)
      at += lengthOf(piece)
    }
  }
  const lines = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  const index = `xref\n0 ${size}\n0000000000 65535 f \n${lines.join('')}`
  return [...pieces, `${index}trailer\n<</Size ${size}/Root 1 0 R/Info 3 0 R>>\nstartxref\n${at}\n%%EOF\n`]
}

async function* bytesOf(pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') yield Buffer.from(piece, 'latin1')
    else yield* await piece.open()
  }
}

/** The head of a JPEG is within its first bytes; what stands before it is at most a label of how the picture came to be. */
const HEAD_BYTES = 131_072

/** How many colors a JPEG has, by the head of its frame (ITU T.81, B.2.2). 3 where it cannot be read. */
async function componentsOf({ bytes, open }: PdfPage): Promise<number> {
  const head = await buffer(await open({ start: 0, end: Math.min(bytes, HEAD_BYTES) }))
  let at = 2
  while (at + 9 < head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return head[at + 9] ?? 3
    at += 2 + head.readUInt16BE(at + 2)
  }
  return 3
}
