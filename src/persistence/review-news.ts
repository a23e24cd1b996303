import type { Database } from './database.ts'
import type { Actor } from './history.ts'
import { addNews, forgetNewsWords, type News } from './news.ts'
import { findReviewers } from './reviews.ts'
import { guestsWhoSee } from './shared-guests.ts'

interface About {
  accountId: string
  socialSetId: string
  postSetId: string
  /** Who did it and need not be notified; null: time has passed. */
  actor: Actor | null
}

/** What people are notified of about reviews and comments. Users and guests by their ids. */
type ReviewNews = About &
  (
    | {
        kind: 'REVIEW_REQUESTED'
        /** Guests of the brand are asked; else the members who can approve it. */
        external: boolean
      }
    | { kind: 'APPROVED' | 'CHANGES_REQUESTED'; words: string | null; concerned: readonly string[] }
    | { kind: 'APPROVED'; takenBack: true; concerned: readonly string[] }
    | {
        kind: 'COMMENTED'
        commentId: string
        /** For members alone: then there are no guests. */
        inner: boolean
        words: string
        mentioned: readonly string[]
        concerned: readonly string[]
        guestIds: readonly string[]
      }
    | {
        kind: 'REVIEW_REMINDER'
        hours: number
        /** Users. */
        asked: readonly string[]
        /** Guests of the brand are reminded, too. */
        external: boolean
        /** The same is reported once. */
        once: string
      }
  )

/** Reports what happened, in the transaction of it. The one place where reviews and comments become notifications. */
export async function addReviewNews(trx: Database, news: readonly ReviewNews[]): Promise<void> {
  const all: News[] = []
  for (const each of news) all.push(await newsOf(trx, each))
  await addNews(trx, all)
}

async function newsOf(trx: Database, news: ReviewNews): Promise<News> {
  switch (news.kind) {
    case 'REVIEW_REQUESTED': {
      const { external, ...rest } = news
      return external
        ? { ...rest, asked: [], guestIds: await guestsWhoSee(trx, news.socialSetId) }
        : { ...rest, asked: null, reviewers: await findReviewers(trx, news.postSetId) }
    }
    case 'REVIEW_REMINDER': {
      const { external, ...rest } = news
      return { ...rest, guestIds: external ? await guestsWhoSee(trx, news.socialSetId) : [] }
    }
    default:
      return news
  }
}

/** A comment says something else now, or is gone: what was kept of its words goes, too. */
export const forgetCommentWords = forgetNewsWords
