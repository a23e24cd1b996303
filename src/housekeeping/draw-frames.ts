import { type MediaStore, NoDecoderError } from '#media'
import {
  beginCover,
  beginFrame,
  type Database,
  type DueCover,
  type DueFrame,
  endCover,
  endFrame,
  returnCover,
  returnFrame,
} from '#persistence'
import type { Duty } from './chores.ts'

interface FrameTools {
  files: Pick<MediaStore, 'remove'>
  /** Rejects where no video can be drawn: none is tried then. */
  check(): Promise<void>
  /**
   * Stores a small picture of a frame, of a cover that of its moment; null where this video gives none. Rejects when that can be tried
   * again.
   */
  draw(video: DueFrame | DueCover, signal: AbortSignal): Promise<{ key: string } | null>
}

/** What is drawn of one kind. */
interface Kind<T> {
  begin(db: Database): Promise<T | null>
  giveBack(db: Database, due: T): Promise<void>
  end(db: Database, due: T, key: string | null): Promise<boolean>
}

const COVERS: Kind<DueCover> = { begin: beginCover, giveBack: returnCover, end: endCover }
const FRAMES: Kind<DueFrame> = { begin: beginFrame, giveBack: returnFrame, end: endFrame }

/**
 * Draws a frame of each video of the library, one after the other: those that go out soon first, then the newest; and in turn with them
 * those that posts have chosen as their covers, so that neither waits for all of the other. src/importing/README.md ("Posters") has the
 * states.
 */
export function drawingFrames({ files, check, draw }: FrameTools): Duty {
  return {
    name: 'video-frames',
    everyMs: 15_000,
    done: 'Frames of videos were drawn',
    may: () => check().then(() => true),
    run: ({ db }, signal) => drawAll(db, { files, draw }, signal),
  }
}

type Tools = Omit<FrameTools, 'check'>

async function drawAll(db: Database, tools: Tools, signal: AbortSignal): Promise<number> {
  let drawn = 0
  while (!signal.aborted) {
    const ends = [await drawNext(db, COVERS, tools, signal), await drawNext(db, FRAMES, tools, signal)]
    if (ends.every((end) => end === 'none')) break
    drawn += ends.filter((end) => end === 'drawn').length
  }
  return drawn
}

/** `none`: none is due. */
async function drawNext<T extends DueFrame | DueCover>(
  db: Database,
  kind: Kind<T>,
  { files, draw }: Tools,
  signal: AbortSignal,
): Promise<'none' | 'drawn' | 'left'> {
  const due = signal.aborted ? null : await kind.begin(db)
  if (!due) return 'none'
  const picture = await draw(due, signal).catch(async (error) => {
    // What says nothing about the video is no attempt at it.
    if (signal.aborted || error instanceof NoDecoderError) await kind.giveBack(db, due)
    throw error
  })
  if (await kind.end(db, due, picture?.key ?? null)) return picture ? 'drawn' : 'left'
  if (picture) await files.remove(picture.key)
  return 'left'
}
