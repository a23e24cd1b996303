import { MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Role } from '#contract'
import { useMay, useSession } from '../api/session.ts'
import { socialSetsQuery } from '../shell/social-sets.ts'
import { rolesQuery } from './team-queries.ts'

/** What somebody is to be: a role, and the social sets that are seen (null: all). */
export interface Access {
  role: Role
  socialSetIds: string[] | null
}

/** The fields for a role and for the social sets that go with it. */
export function AccessFields({ value, onChange, error }: AccessFieldsProps) {
  const { data: table } = useQuery(rolesQuery)
  const { data: sets = [] } = useQuery(socialSetsQuery)
  const { socialSetIds: mine } = useSession()
  const makesOwners = useMay('owners:manage')
  const roles = (table?.roles ?? []).filter(({ role }) => role !== 'owner' || makesOwners)
  const { role, socialSetIds } = value
  return (
    <Stack gap="md">
      <Radio.Group
        label="Role"
        value={role}
        onChange={(next) => {
          const chosen = roles.find((one) => one.role === next)?.role
          if (chosen) onChange({ role: chosen, socialSetIds: chosen === 'owner' ? null : socialSetIds })
        }}
      >
        <Stack gap="xs" mt={6}>
          {roles.map((one) => (
            <Radio key={one.role} value={one.role} label={one.title} description={one.description} />
          ))}
        </Stack>
      </Radio.Group>
      {role === 'owner' ? (
        <Text size="sm">An owner sees all social sets.</Text>
      ) : (
        <Stack gap="xs">
          <Radio.Group
            label="Social sets"
            value={socialSetIds === null ? 'all' : 'some'}
            onChange={(next) => onChange({ role, socialSetIds: next === 'all' ? null : [] })}
          >
            <Stack gap="xs" mt={6}>
              <Radio
                value="all"
                label="All social sets"
                description={
                  mine === null
                    ? 'Those that are made later too.'
                    : 'You see some social sets only and cannot give all.'
                }
                disabled={mine !== null}
              />
              <Radio value="some" label="Some social sets" />
            </Stack>
          </Radio.Group>
          {socialSetIds !== null && (
            <MultiSelect
              label="Which social sets"
              data={sets.map(({ id, name }) => ({ value: id, label: name }))}
              value={socialSetIds}
              onChange={(ids) => onChange({ role, socialSetIds: ids })}
              placeholder={socialSetIds.length === 0 ? 'Choose one or more' : ''}
              searchable
              hidePickedOptions
              nothingFoundMessage="No other social set"
              error={error}
            />
          )}
        </Stack>
      )}
    </Stack>
  )
}

interface AccessFieldsProps {
  value: Access
  onChange: (value: Access) => void
  /** What is wrong with the social sets. */
  error?: string | undefined
}
