import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  // The dashboard may lie below any path: files find each other by where they are themselves.
  base: './',
  plugins: [react()],
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
