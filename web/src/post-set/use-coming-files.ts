import { useEffect, useRef } from 'react'
import type { SocialSet } from '#contract'
import type { Source } from '../uploads/files-of.ts'
import { takeHanded } from '../uploads/handed-files.ts'
import { addFiles, itemOf } from '../uploads/run-uploads.ts'
import { findUpload, useUploads } from '../uploads/upload-list.ts'
import { changePost, comingIn, comingMedia, mapMedia, mediaOf, newMedia } from './draft.ts'
import type { Draft } from './draft-shape.ts'

/**
 * Files of this computer and pictures of web pages in a draft: they have their place at once, and become files of the library when
 * they are there. Answers what takes them, for all posts, for one that has its own, or for one of its
 * further parts.
 */
export function useComingFiles(
  socialSet: SocialSet,
  draft: Draft,
  setDraft: (draft: Draft) => void,
): (files: readonly Source[], index: number | null, part?: string) => void {
  const uploads = useUploads()
  const latest = useRef({ draft, setDraft })
  latest.current = { draft, setDraft }
  const asked = useRef(new Set<string>())
  /** Uploads that this browser has had: others are of another one, where they may still arrive. */
  const seen = useRef(new Set<string>())

  const add = (keys: readonly string[], index: number | null, part?: string) => {
    const { draft, setDraft } = latest.current
    const coming = keys.flatMap((key) => findUpload(key) ?? []).map(comingMedia)
    const post = index === null ? undefined : draft.posts[index]
    const withComing = () => {
      if (index === null || !post) return { ...draft, media: [...draft.media, ...coming] }
      if (part !== undefined) {
        const thread = post.thread.map((each) =>
          each.uid === part ? { ...each, media: [...each.media, ...coming] } : each,
        )
        return changePost(draft, index, { thread })
      }
      if (post.media === null) return { ...draft, media: [...draft.media, ...coming] }
      return changePost(draft, index, { media: [...mediaOf(draft, post), ...coming] })
    }
    const next = withComing()
    latest.current.draft = next
    setDraft(next)
  }

  // What was dropped on a day, or chosen in the library, waits for the composer that it opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the composer opens
  useEffect(() => {
    const { keys, items } = takeHanded(socialSet.id)
    if (keys.length > 0) add(keys, null)
    const { draft, setDraft } = latest.current
    if (items.length > 0) setDraft({ ...draft, media: [...draft.media, ...items.map(newMedia)] })
  }, [])

  useEffect(() => {
    for (const { key } of uploads) seen.current.add(key)
    for (const { upload: key } of comingIn(latest.current.draft)) {
      const upload = key === null ? undefined : uploads.find((each) => each.key === key)
      if (key === null || asked.current.has(key)) continue
      if (upload ? upload.state !== 'ready' : !seen.current.has(key)) continue
      asked.current.add(key)
      // Of one that is gone nothing is left to wait for.
      const found = upload ? itemOf(upload) : Promise.resolve(null)
      void found
        .catch(() => null)
        .then((item) => {
          const { draft, setDraft } = latest.current
          const next = mapMedia(draft, (media) => {
            if (media.upload !== key) return media
            return item && { ...newMedia(item), uid: media.uid, altText: media.altText || (item.altText ?? '') }
          })
          latest.current.draft = next
          setDraft(next)
        })
    }
  }, [uploads])

  return (files, index, part) => add(addFiles(socialSet.id, files), index, part)
}
