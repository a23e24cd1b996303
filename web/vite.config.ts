import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  // The dashboard may lie below any path: files find each other by where they are themselves.
  base: './',
  plugins: [react()],
  resolve: {
    alias: [
      {
        // 17 kB that no browser of ours needs: what FullCalendar takes from here, Temporal itself has.
        find: /^temporal-polyfill\/fns\/(Instant|PlainDateTime|ZonedDateTime)$/,
        replacement: fileURLToPath(new URL('./src/time/temporal-fns.ts', import.meta.url)),
      },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // Browsers of the last two and a half years, all with top-level await.
    target: 'baseline-widely-available',
    assetsDir: 'assets',
    // The security policy refuses scripts, styles and pictures in data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
  },
})
