import { Center, Paper, Stack } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { OfflineBanner } from '../design/states.tsx'
import { OVERLAYS_ID } from '../design/theme.ts'
import { Brand } from './brand.tsx'

/** The frame of the pages that need no sign-in. */
export function PublicLayout() {
  return (
    <PlainPage>
      <Outlet />
    </PlainPage>
  )
}

/** A small page in the middle of the screen, with nothing around it but our name. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <Center mih="100dvh" p="md">
      <Stack w="100%" maw={420} gap="md">
        <header>
          <Brand />
        </header>
        <Paper component="main" withBorder p="lg">
          <OfflineBanner />
          {children}
          <div id={OVERLAYS_ID} />
        </Paper>
      </Stack>
    </Center>
  )
}
