import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Role } from '#contract'
import { useMay, useSession } from '../api/session.ts'
import { byLabel } from '../design/by-label.ts'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { rolesQuery } from './team-queries.ts'

/** What a member is to be: a role, and the social sets that are seen (null: all). */
export interface Access {
  role: Role
  socialSetIds: string[] | null
}

/** The fields for a role and for the social sets that go with it. */
export function AccessFields({ form }: { form: AccessForm }) {
  const { data: table } = useQuery(rolesQuery)
  const { data: sets = [] } = useQuery(socialSetsQuery)
  const { socialSetIds: mine } = useSession()
  const makesOwners = useMay('owners:manage')
  const roles = (table?.roles ?? []).filter(({ role }) => role !== 'owner' || makesOwners)
  const { role, socialSetIds } = form.values
  return (
    <Stack gap="md">
      <Radio.Group
        label={t`Role`}
        value={role}
        onChange={(next) => {
          const chosen = roles.find((one) => one.role === next)?.role
          if (chosen) form.set('role', chosen)
          if (chosen === 'owner') form.set('socialSetIds', null)
        }}
      >
        <Stack gap="xs" mt={6}>
          {roles.map((one) => (
            <Radio key={one.role} value={one.role} label={one.title} description={one.description} />
          ))}
        </Stack>
      </Radio.Group>
      {role === 'owner' ? (
        <Text size="sm">
          <Trans>An owner can see all brands.</Trans>
        </Text>
      ) : (
        <Stack gap="xs">
          <Radio.Group
            label={t`Brands`}
            value={socialSetIds === null ? 'all' : 'some'}
            onChange={(next) => form.set('socialSetIds', next === 'all' ? null : [])}
          >
            <Stack gap="xs" mt={6}>
              <Radio
                value="all"
                label={t`All brands`}
                description={
                  mine === null
                    ? t`Including future ones.`
                    : t`You can see some brands only, so you cannot give access to all.`
                }
                disabled={mine !== null}
              />
              <Radio value="some" label={t`Some brands`} />
            </Stack>
          </Radio.Group>
          {socialSetIds !== null && (
            <MultiSelect
              label={t`Which brands`}
              data={sets.map(({ id, name }) => ({ value: id, label: name }))}
              value={socialSetIds}
              onChange={(ids) => form.set('socialSetIds', ids)}
              placeholder={socialSetIds.length === 0 ? t`Choose one or more` : ''}
              searchable
              filter={byLabel}
              hidePickedOptions
              nothingFoundMessage={t`No other brand`}
              error={form.wrong.socialSetIds}
            />
          )}
        </Stack>
      )}
    </Stack>
  )
}

/** A form with these fields among others. */
interface AccessForm {
  values: Access
  wrong: { socialSetIds?: string | undefined }
  set(name: 'role', value: Role): void
  set(name: 'socialSetIds', value: string[] | null): void
}
