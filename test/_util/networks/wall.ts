import type { Attempt, Network, Networks, Part, PublishOutcome } from '#networks'

/** A post on the wall, and what was written below it, in order. */
export interface Wall {
  /** Takes a text below a post, behind the one that it names; `null`: it is not the last one. */
  write(post: string, text: string, behind: string): string | null
  read(post: string): readonly string[]
  /** Everything below all posts. */
  all(): readonly (readonly string[])[]
}

/** Takes everything that is asked of it, also twice. */
export function createWall(): Wall {
  const texts = new Map<string, string[]>()
  const read = (post: string) => texts.get(post) ?? []
  return {
    write(post, text, behind) {
      const before = read(post)
      if (behind !== (before.at(-1) ?? post)) return null
      texts.set(post, [...before, text])
      return text
    },
    read,
    all: () => [...texts.values()],
  }
}

export const PARTS = 25

/** What a network of which everything works writes below a post on a wall: 24 parts, each behind the one before. */
export const wallParts = (url: string): readonly Part[] =>
  Array.from({ length: PARTS - 1 }, (_, at) => wallPart(url, at + 2))

function wallPart(url: string, number: number): Part {
  const title = `part ${number}`
  const idOf = ({ before }: Attempt) => ({ post: before[0]?.providerId ?? '', behind: before.at(-1)?.providerId ?? '' })
  const below = (attempt: Attempt) => `${url}/${encodeURIComponent(idOf(attempt).post)}`
  const made = { providerId: title, permalink: null }
  return {
    ...{ title, needs: 'previous', stopsRest: true, startsWithinMs: 1_800_000, endsWithinMs: 3_600_000 },
    async send(attempt): Promise<PublishOutcome> {
      const { signal } = attempt
      const json = { text: title, behind: idOf(attempt).behind }
      const sent = await attempt.http({ method: 'POST', url: below(attempt), json, signal })
      if (sent.kind === 'failed') return { kind: 'unknown', message: sent.message }
      if (sent.status !== 201) return { kind: 'refused', reason: 'UNKNOWN', message: 'It is behind another one.' }
      return { kind: 'published', ...made }
    },
    async find(attempt) {
      const { signal } = attempt
      const asked = await attempt.http({ method: 'GET', url: below(attempt), signal })
      if (asked.kind === 'failed') return { kind: 'cannot-tell', message: asked.message, unanswered: true }
      return (asked.json as string[]).includes(title) ? { kind: 'found', ...made } : { kind: 'absent' }
    },
  }
}

/** The same networks, of which that one writes on a wall behind each post. */
export function writingOnWall(networks: Networks, name: string, url: string): Networks {
  const writing = (network: Network): Network => ({
    ...network,
    connector: { ...network.connector, parts: () => wallParts(url) },
  })
  const all = networks.all.map((network) => (network.manifest.name === name ? writing(network) : network))
  return {
    all,
    named: (wanted) => all.find(({ manifest }) => manifest.name === wanted) ?? null,
    serving: (accountType) => all.find(({ manifest }) => manifest.accountTypes.includes(accountType)) ?? null,
  }
}
