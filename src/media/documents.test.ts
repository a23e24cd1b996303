import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FURTHER, pdf, stream } from '../../test/_util/files/pdf.ts'
import { childrenRunning } from '../../test/_util/processes/children.ts'
import { WHOLE } from '../../test/_util/run/whole.ts'
import { drawPage, PAGE_PIXELS, probeDocument } from './documents.ts'
import { MediaFailure } from './failure.ts'
import { probe } from './probe.ts'
import { makeThumbnail } from './renditions.ts'
import { createDiskStore, type MediaStore } from './store.ts'

const MIB = 1024 * 1024
let dir: string
let store: MediaStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-documents-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const put = async (bytes: Buffer) => (await store.put(Readable.from([bytes]))).key
const made = (name: string) => readFileSync(new URL(`../../test/_fixtures/documents/${name}.pdf`, import.meta.url))
const one = pdf()
const from = FURTHER
const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share))
const swapped = (what: string, instead: string) => Buffer.from(one.toString('latin1').replace(what, instead), 'latin1')
const within = (name: string, object: string) => `/Resources<</${name}<</X ${from} 0 R>>${object}>>`
const form = (more: string, content: string) => stream(content, `/Type/XObject/Subtype/Form/BBox[0 0 300 200]${more}`)
const picture = (width: number, height: number, bytes: Buffer, more = '/ColorSpace/DeviceGray/BitsPerComponent 1') =>
  stream(bytes, `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${more}`, !more.includes('Filter'))
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

type Outcome = `${number} of ${number} x ${number}` | 'unsupported_type' | 'corrupt' | 'too_large'
const PROTECTED = 'unsupported_type'

/** What becomes of each when it is brought in: an item, with how many pages of which size; or the code of a refusal. */
const DOCUMENTS: Record<string, [bytes: Buffer, outcome: Outcome]> = {
  'made by groff': [made('groff'), '2 of 595 x 842'],
  'made by Ghostscript': [made('ghostscript'), '1 of 595 x 842'],
  'made by img2pdf': [made('img2pdf'), '1 of 90 x 68'],
  'made by librsvg, right to left': [made('librsvg-right-to-left'), '1 of 300 x 225'],
  'made by MuPDF': [made('mupdf'), '1 of 300 x 200'],
  'made by qpdf, with its objects in streams': [made('qpdf-object-streams'), '2 of 595 x 842'],
  'made by qpdf, for slow lines': [made('qpdf-linearized'), '1 of 300 x 225'],
  'with a password': [made('qpdf-password'), PROTECTED],
  'with an old password of 40 bits': [made('qpdf-password-of-40-bits'), PROTECTED],
  'with permissions alone': [made('qpdf-permissions'), PROTECTED],
  'with a way of protection that is not known': [
    pdf({ trailer: `/Encrypt ${from} 0 R/ID[<00><00>]`, objects: ['<</Filter/Unheard.Of/V 9>>'] }),
    PROTECTED,
  ],
  'with 300 pages': [pdf({ pages: 300 }), '300 of 300 x 200'],
  'with 301 pages': [pdf({ pages: 301 }), 'too_large'],
  'turned by 90 degrees': [pdf({ page: '/Rotate 90' }), '1 of 200 x 300'],
  'huge pages': [pdf({ box: '0 0 14400 14400' }), '1 of 14400 x 14400'],
  'pages of a mile': [pdf({ box: '0 0 9000000 9000000' }), '1 of 9000000 x 9000000'],
  'a page like a thread': [pdf({ box: '0 0 1 14400' }), '1 of 1 x 14400'],
  'a page without a size': [pdf({ box: '0 0 0 0' }), '1 of 612 x 792'],
  'a page of negative size': [pdf({ box: '300 200 0 0' }), '1 of 300 x 200'],
  'scripts that run when it is opened': [
    pdf({
      catalog: `/OpenAction<</S/JavaScript/JS(for(;;){})>>/Names<</JavaScript<</Names[(a) ${from} 0 R]>>>>`,
      objects: ['<</S/JavaScript/JS(while(true){})>>'],
    }),
    '1 of 300 x 200',
  ],
  'an action that starts a program': [pdf({ catalog: '/OpenAction<</S/Launch/F(/bin/sh)>>' }), '1 of 300 x 200'],
  'forms with scripts': [
    pdf({
      catalog: `/AcroForm<</Fields[${from} 0 R]/NeedAppearances true>>`,
      page: `/Annots[${from} 0 R]`,
      objects: [
        '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Pat)/Rect[10 10 90 30]/AA<</C<</S/JavaScript/JS(for(;;){})>>>>>>',
      ],
    }),
    '1 of 300 x 200',
  ],
  'forms of XFA': [
    pdf({
      catalog: `/AcroForm<</Fields[]/XFA ${from} 0 R>>`,
      objects: [stream('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>')],
    }),
    '1 of 300 x 200',
  ],
  'links and data that is sent': [
    pdf({ page: '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 90 90]/A<</S/SubmitForm/F(http://127.0.0.1:9/)>>>>]' }),
    '1 of 300 x 200',
  ],
  'an attachment': [
    pdf({
      catalog: `/Names<</EmbeddedFiles<</Names[(evil.exe) ${from} 0 R]>>>>`,
      objects: [`<</Type/Filespec/F(evil.exe)/EF<</F ${from + 1} 0 R>>>>`, stream('MZ', '/Type/EmbeddedFile')],
    }),
    '1 of 300 x 200',
  ],
  'cut off in its middle': [cut(made('groff'), 0.5), 'corrupt'],
  'its first line alone': [Buffer.from('%PDF-1.7\n'), 'corrupt'],
  'words behind its first line': [Buffer.from(`%PDF-1.7\n${'just words '.repeat(500)}`), 'corrupt'],
  'without an index of its objects': [cut(one, 0.7), 'corrupt'],
  'with an index that leads nowhere': [swapped('startxref\n', 'startxref\n9'), '1 of 300 x 200'],
  'with an index that leads to itself': [swapped('/Root', '/Prev 9/Root'), '1 of 300 x 200'],
  'without pages': [pdf({ tree: '<</Type/Pages/Count 0/Kids[]>>' }), 'corrupt'],
  'that counts a thousand million pages': [
    pdf({ tree: `<</Type/Pages/Count 1000000000/Kids[${from} 0 R]>>` }),
    '1 of 300 x 200',
  ],
  'whose pages lead to themselves': [pdf({ tree: '<</Type/Pages/Count 3/Kids[2 0 R 2 0 R 2 0 R]>>' }), 'corrupt'],
  'with lists within lists': [pdf({ catalog: `/Deep ${nested(100_000)}` }), '1 of 300 x 200'],
  'with a drawing that draws itself': [
    pdf({ content: '/X Do', page: within('XObject', ''), objects: [form(within('XObject', ''), '/X Do /X Do')] }),
    'too_large',
  ],
  'with a drawing that is packed a thousand times': [
    pdf({
      content: '/X Do',
      page: within('XObject', ''),
      objects: [stream('0 0 m 300 200 l S '.repeat(500_000), '/Type/XObject/Subtype/Form/BBox[0 0 300 200]', true)],
    }),
    'too_large',
  ],
  'with a picture of 400 million pixels': [
    pdf({
      content: 'q 300 0 0 200 0 0 cm /X Do Q',
      page: within('XObject', ''),
      objects: [picture(20_000, 20_000, Buffer.alloc(20_000 * 2_500))],
    }),
    '1 of 300 x 200',
  ],
  'with a picture that announces more than it has': [
    pdf({
      content: 'q 300 0 0 200 0 0 cm /X Do Q',
      page: within('XObject', ''),
      objects: [picture(60_000, 60_000, Buffer.from('x'), '/ColorSpace/DeviceRGB/BitsPerComponent 8')],
    }),
    '1 of 300 x 200',
  ],
  'with a broken picture of JPEG 2000': [
    pdf({
      content: 'q 300 0 0 200 0 0 cm /X Do Q',
      page: within('XObject', ''),
      objects: [picture(90, 90, Buffer.from('\0\0\0\x0cjP  \r\n\x87\n\xff\xff', 'latin1'), '/Filter/JPXDecode')],
    }),
    '1 of 300 x 200',
  ],
  'with a broken picture of JBIG2': [
    pdf({
      content: 'q 300 0 0 200 0 0 cm /X Do Q',
      page: within('XObject', ''),
      objects: [
        picture(
          90,
          90,
          Buffer.from('\0\0\0\0\x30\0\x01\xff\xff\xff\xff', 'latin1'),
          '/Filter/JBIG2Decode/ColorSpace/DeviceGray/BitsPerComponent 1',
        ),
      ],
    }),
    '1 of 300 x 200',
  ],
  'with a shading that computes for long': [
    pdf({
      content: '/X sh',
      page: within('Shading', ''),
      objects: [
        `<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 300 0 200]/Function ${from + 1} 0 R>>`,
        stream(`{ ${'sin cos add dup '.repeat(20_000)} pop pop 0 }`, '/FunctionType 4/Domain[0 300 0 200]/Range[0 1]'),
      ],
    }),
    'too_large',
  ],
}

test('there are 40 documents', () => expect(Object.keys(DOCUMENTS).length).toBeGreaterThanOrEqual(40))

/** Less than there is for files of people, so that those that take all of it are soon over. */
const limits = { residentBytes: 400 * MIB, seconds: 3 }
/** What grows between two looks of the process at itself, on a machine that is busy. */
const SLACK = 150 * MIB

/** They take all of a processor for seconds each; another one that does is tried in every run. */
const LONG = ['with a picture of 400 million pixels', 'with a shading that computes for long']

test.each(Object.entries(DOCUMENTS).filter(([name]) => WHOLE || !LONG.includes(name)))(
  '%s',
  async (_, [bytes, outcome]) => {
    const key = await put(bytes)
    const watch = watchMemory()
    expect(await broughtIn(key, bytes.length)).toBe(outcome)
    expect(watch.stop()).toBeLessThan(limits.residentBytes + SLACK)
  },
)

/** As an import does it: measured, then drawn. */
async function broughtIn(key: string, bytes: number): Promise<string> {
  const probed = await probeDocument(store, key, { bytes }, { limits })
  if (probed.kind === 'failed') return worded(probed)
  const { pages, width, height } = probed.facts
  try {
    const { facts } = await drawPage(store, key, { number: 1, pixels: 400 }, { limits })
    expect(Math.max(facts.width, facts.height)).toBe(400)
    return `${pages} of ${width} x ${height}`
  } catch (error) {
    if (error instanceof MediaFailure) return worded(error)
    throw error
  }
}

/** A sentence that says what is wrong, and one that says what to do. */
function worded({ code, message }: { code: string; message: string }): string {
  expect(message).toMatch(/^The PDF .+\. .+\.$/)
  return code.replace('media-upload:', '')
}

/** The most that a process of documents has had resident. */
function watchMemory() {
  let most = 0
  const look = () => {
    for (const pid of childrenRunning('document-program')) most = Math.max(most, residentOf(pid))
  }
  const timer = setInterval(look, 20)
  return {
    stop() {
      look()
      clearInterval(timer)
      return most
    },
  }
}

/** 0 of one that has ended meanwhile. */
function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

test('is a document by its first bytes, with its facts and the picture of its first page', async () => {
  const key = await put(made('groff'))
  const { facts } = { facts: null, ...(await probe(store, key)) }
  expect(facts).toMatchObject({ type: 'DOCUMENT', mimeType: 'application/pdf', bytes: 6_732, pages: 2, width: 595 })
  expect(await makeThumbnail(store, key)).toMatchObject({ mimeType: 'image/webp', width: 283, height: 400 })
})

test('of more than 100 MB is not read', async () => {
  const read = await probeDocument(store, 'f'.repeat(32), { bytes: 100_000_001 })
  expect(read).toMatchObject({ kind: 'failed', code: 'media-upload:too_large' })
})

test('a page is drawn on white, and gives the same bytes each time', async () => {
  const key = await put(pdf({ content: '1 0 0 rg 0 0 150 200 re f' }))
  const page = { number: 1, pixels: PAGE_PIXELS.preview }
  const [first, again] = [await drawPage(store, key, page), await drawPage(store, key, page)]
  expect(first.facts).toMatchObject({ mimeType: 'image/webp', width: 1_600, height: 1_067 })
  const bytes = await buffer(await store.open(first.key))
  expect(bytes.equals(await buffer(await store.open(again.key)))).toBe(true)
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)]
  const [red = 0, green = 255, blue = 255] = at(100, 500)
  expect([red > 240, green < 20, blue < 20]).toEqual([true, true, true])
  expect(Math.min(...at(1_500, 500))).toBeGreaterThan(250)
})

test('a page that is not there is refused in words', async () => {
  const drawn = drawPage(store, await put(one), { number: 2, pixels: 400 })
  await expect(drawn).rejects.toMatchObject({ name: 'MediaFailure', code: 'media-upload:corrupt' })
})

test('a task that is given up ends its process', async () => {
  const key = await put(one)
  const giveUp = new AbortController()
  const drawn = drawPage(store, key, { number: 1, pixels: 400 }, { signal: giveUp.signal })
  giveUp.abort(new Error('Enough.'))
  await expect(drawn).rejects.toThrow('Enough.')
})
