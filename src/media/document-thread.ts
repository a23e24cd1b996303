import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'

/**
 * Runs only as a thread of `document-program.ts`: PDFium as WebAssembly, which is busy until it is done. It is built without a machine
 * for scripts, and no forms are opened: nothing of a document runs, is followed or is taken out of it. It is counted and drawn.
 */

export interface DocumentTask {
  /** Absent: the document is measured. A page, from 1 on, is drawn so that its longer side has so many pixels. */
  page?: { number: number; pixels: number } | undefined
}

export interface DocumentInput extends DocumentTask {
  path: string
  wasm: Uint8Array<ArrayBuffer>
}

/** `width` and `height` are of the first page, in points as shown. */
export type DocumentMeasures = { pages: number; width: number; height: number }

export type FromThread =
  | ({ kind: 'measured' } & DocumentMeasures)
  /** Red, green, blue and an alpha that is full, from the upper left corner on. */
  | { kind: 'pixels'; pixels: Uint8Array; width: number; height: number }
  /** It is protected: it cannot be read without a password, or says what may not be done with it. */
  | { kind: 'encrypted' }
  | { kind: 'unreadable' }

/** Numbers of PDFium: https://pdfium.googlesource.com/pdfium/+/refs/heads/main/public/fpdfview.h (read 2026-11-30). */
const PASSWORD = 4
const UNKNOWN_SECURITY = 5
const NOT_ENCRYPTED = -1
const RGBA = 4
const WHITE = 0xffffffff
/** With what is written on the page, not with fields of forms; red first. */
const WITH_ANNOTATIONS = 0x01
const RED_FIRST = 0x10

if (parentPort) parentPort.postMessage(await read(workerData as DocumentInput).catch(crashed))

/** PDFium stops itself where it finds its memory broken. */
function crashed(error: unknown): FromThread {
  if (error instanceof Error && error.name === 'RuntimeError') return { kind: 'unreadable' }
  throw error
}

async function read({ path, wasm, page }: DocumentInput): Promise<FromThread> {
  const pdfium = await init({ wasmBinary: wasm.buffer })
  pdfium.FPDF_InitLibrary()
  const { pointer, bytes } = fileIn(pdfium, path)
  const document = pdfium.FPDF_LoadMemDocument(pointer, bytes, '')
  if (!document) {
    const isProtected = [PASSWORD, UNKNOWN_SECURITY].includes(pdfium.FPDF_GetLastError())
    return { kind: isProtected ? 'encrypted' : 'unreadable' }
  }
  if (pdfium.FPDF_GetSecurityHandlerRevision(document) !== NOT_ENCRYPTED) return { kind: 'encrypted' }
  return page ? draw(pdfium, document, page) : measure(pdfium, document)
}

/** Another one after each that grew; the package declares it by types that it does not bring. */
function memoryOf(pdfium: object): Uint8Array {
  return (pdfium as { HEAPU8: Uint8Array }).HEAPU8
}

/** The bytes of a file, read into the memory of PDFium, which has them until the thread ends. */
function fileIn({ pdfium }: WrappedPdfiumModule, path: string): { pointer: number; bytes: number } {
  const file = openSync(path, 'r')
  try {
    const bytes = fstatSync(file).size
    const pointer = pdfium.wasmExports.malloc(bytes)
    if (!pointer) throw new RangeError('The file does not fit into the memory of PDFium.')
    let at = 0
    while (at < bytes) {
      const count = readSync(file, memoryOf(pdfium), pointer + at, bytes - at, at)
      if (count === 0) break
      at += count
    }
    return { pointer, bytes: at }
  } finally {
    closeSync(file)
  }
}

function measure(pdfium: WrappedPdfiumModule, document: number): FromThread {
  const pages = pdfium.FPDF_GetPageCount(document)
  const first = pages > 0 ? pdfium.FPDF_LoadPage(document, 0) : 0
  if (!first) return { kind: 'unreadable' }
  const { width, height } = sizeOf(pdfium, first)
  return width > 0 && height > 0 ? { kind: 'measured', pages, width, height } : { kind: 'unreadable' }
}

function sizeOf(pdfium: WrappedPdfiumModule, page: number): { width: number; height: number } {
  return { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) }
}

function draw(
  pdfium: WrappedPdfiumModule,
  document: number,
  { number, pixels }: NonNullable<DocumentTask['page']>,
): FromThread {
  const page = number <= pdfium.FPDF_GetPageCount(document) ? pdfium.FPDF_LoadPage(document, number - 1) : 0
  const size = page ? sizeOf(pdfium, page) : null
  if (!size || !(size.width > 0 && size.height > 0)) return { kind: 'unreadable' }
  const scale = pixels / Math.max(size.width, size.height)
  const width = Math.max(1, Math.round(size.width * scale))
  const height = Math.max(1, Math.round(size.height * scale))
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, RGBA, 0, 0)
  if (!bitmap) return { kind: 'unreadable' }
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS | RED_FIRST)
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
  const drawn = memoryOf(pdfium.pdfium).slice(start, start + width * height * 4)
  return { kind: 'pixels', pixels: drawn, width, height }
}
