import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Table, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Modal } from '../design/dialogs.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { rolesQuery } from './team-queries.ts'

/** The table of what each role may do. */
export function RolesDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { data, error, refetch } = useQuery(rolesQuery)
  return (
    <Modal opened={opened} onClose={onClose} title={t`What each role can do`} size="xl">
      {error ? (
        <ErrorState title={t`The roles could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows />
      ) : (
        <>
          <Text size="sm" mb="sm">
            <Trans>Everyone can read the calendar of their brands. What else a role includes:</Trans>
          </Text>
          <Table.ScrollContainer
            minWidth={560}
            scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t`Table of roles`, role: 'region' } }}
          >
            <Table verticalSpacing="xs" aria-label={t`What each role can do`}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>
                    <Trans>Right</Trans>
                  </Table.Th>
                  {data.roles.map(({ role, title }) => (
                    <Table.Th key={role} ta="center">
                      {title}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.rights.map(({ right, title, roles }) => (
                  <Table.Tr key={right}>
                    <Table.Th scope="row" fw={400}>
                      {title}
                    </Table.Th>
                    {data.roles.map(({ role }) => (
                      <Table.Td key={role} ta="center">
                        {roles.includes(role) ? (
                          <>
                            <IconCheck size={18} aria-hidden color="var(--mantine-color-teal-text)" />
                            <VisuallyHidden>
                              <Trans>yes</Trans>
                            </VisuallyHidden>
                          </>
                        ) : (
                          <>
                            <IconMinus size={18} aria-hidden color="var(--mantine-color-dimmed)" />
                            <VisuallyHidden>
                              <Trans>no</Trans>
                            </VisuallyHidden>
                          </>
                        )}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </Modal>
  )
}
