import { newId } from '#domain'
import { addNews, type News } from '#persistence'
import type { Api } from './api.ts'
import { type Person, signInAs } from './members.ts'

type Role = Parameters<typeof signInAs>[1]

/** What happens in the social set of a test, with the ids that news need. */
export function happenings(api: Api) {
  const place = { accountId: api.accountId, actor: null, socialSetId: api.socialSetId }
  const record = (news: News) => api.db.transaction().execute((trx) => addNews(trx, [news]))
  return {
    record,
    comment: (postSetId: string, more: object = {}) =>
      record({ ...place, kind: 'COMMENTED', postSetId, commentId: newId(), inner: true, words: 'Nice.', ...more }),
    requested: (postSetId: string, more: object = {}) =>
      record({ ...place, kind: 'REVIEW_REQUESTED', postSetId, asked: null, ...more }),
    decided: (postSetId: string, more: object = {}) => record({ ...place, kind: 'APPROVED', postSetId, ...more }),
    calendar: (more: object = {}) =>
      record({
        ...place,
        ...{ kind: 'CALENDAR_FAILING', calendarId: newId(), calendarName: 'Holidays', reason: 'It answered 404.' },
        ...more,
      }),
  }
}

/** A member whose address receives mail. */
export async function reader(
  api: Api,
  role: Role,
  membership: { socialSetIds?: readonly string[]; accountId?: string; preferences?: object } = {},
): Promise<Person & { mail: string }> {
  const { preferences, ...rest } = membership
  const person = await signInAs(api, role, rest)
  const mail = `${newId()}@example.com`
  await api.db
    .updateTable('users')
    .set({ email: mail, ...(preferences ? { preferences: JSON.stringify(preferences) } : {}) })
    .where('id', '=', person.userId)
    .execute()
  return { ...person, mail }
}
