import { checkParams as checkNames, invalid, type Params } from '../meta/simulator.ts'

/**
 * Parameters of the calls that make something, by edge:
 * https://developers.facebook.com/docs/graph-api/reference/page/feed/ and its neighbours (read 2026-11-21). The real
 * network lets unknown ones pass; this one refuses them, so that a misspelt name shows.
 */
export const PARAMS: Readonly<Record<Edge, readonly string[]>> = {
  feed: 'message,link,published,attached_media,child_attachments,multi_share_end_card,multi_share_optimized'.split(','),
  photos: ['source', 'published', 'alt_text_custom'],
  photo_stories: ['photo_id'],
  video_stories: ['upload_phase', 'video_id'],
  video_reels: ['upload_phase', 'video_id', 'video_state', 'description', 'title'],
  videos: [
    ...['upload_phase', 'file_size', 'upload_session_id', 'start_offset', 'video_file_chunk'],
    ...['title', 'description', 'published'],
  ],
}
export type Edge = 'feed' | 'photos' | 'photo_stories' | 'video_reels' | 'video_stories' | 'videos'

/** A file is no parameter of the published contracts. */
export const FILE_PARAMS: readonly string[] = ['source']

export const checkParams = (edge: Edge, params: Params): void => checkNames(params, PARAMS[edge])

/** A text parameter; undefined when it is not there. */
export function textIn(params: Params, name: string): string | undefined {
  const value = params[name]
  return value === undefined || typeof value === 'string' ? value : invalid(`${name} must be a string`)
}

export const isTrue = (value: unknown): boolean => value === true || value === 'true'
