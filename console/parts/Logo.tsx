// console/parts/Logo.tsx: the logo. index.html has a copy as the icon of the page.
export const Logo = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" />
    <circle cx="16" cy="16" r="7" />
  </svg>
)
