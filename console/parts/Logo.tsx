// console/parts/Logo.tsx: the mark of the program; index.html has it once more, as its icon.
export const Logo = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" />
    <circle cx="16" cy="16" r="7" />
  </svg>
)
