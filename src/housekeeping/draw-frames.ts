import { type MediaStore, NoDecoderError } from '#media'
import { beginFrame, type Database, type DueFrame, endFrame, returnFrame } from '#persistence'
import type { Duty } from './chores.ts'

interface FrameTools {
  files: Pick<MediaStore, 'remove'>
  /** Rejects where no video can be drawn: none is tried then. */
  check(): Promise<void>
  /** Stores a small picture of a frame; null where this video gives none. Rejects when that can be tried again. */
  draw(video: DueFrame, signal: AbortSignal): Promise<{ key: string } | null>
}

/**
 * Draws a frame of each video of the library, one after the other: those that go out soon first, then the newest.
 * src/importing/README.md ("Posters") has the states.
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

async function drawAll(db: Database, { files, draw }: Omit<FrameTools, 'check'>, signal: AbortSignal): Promise<number> {
  let drawn = 0
  while (!signal.aborted) {
    const video = await beginFrame(db)
    if (!video) break
    const picture = await draw(video, signal).catch(async (error) => {
      // What says nothing about the video is no attempt at it.
      if (signal.aborted || error instanceof NoDecoderError) await returnFrame(db, video)
      throw error
    })
    if (await endFrame(db, video, picture?.key ?? null)) drawn += picture ? 1 : 0
    else if (picture) await files.remove(picture.key)
  }
  return drawn
}
