import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist',
      '.cache',
      'node_modules',
      'coverage',
      'src/catalog/model/generated',
      'web/src/generated.ts',
      'playground/sign-in.d.ts',
      'client/dist',
      'client/src/generated',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    ignores: ['web/**'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      'max-lines': ['warn', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // A function is read on one screen. A migration is a list of tables.
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'src/adapters/database/migrations/**'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    // The web application knows the service by its public APIs only, and puts no text into the page as HTML.
    files: ['web/**/*.ts', 'web/**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: './web/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // The router redirects by throwing.
      '@typescript-eslint/only-throw-error': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      // Signing in at a provider is the same on all pages.
      'no-restricted-imports': [
        'error',
        { patterns: ['**/../src/**', '../../*', '!../../playground', 'node:*'] },
      ],
      'no-restricted-globals': ['error', { name: 'fetch', message: 'api.ts asks the service.' }],
      'no-restricted-syntax': [
        'error',
        { selector: 'JSXAttribute[name.name="style"]', message: 'Use a class of style.css.' },
        {
          selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
          message: 'Only markdown.tsx may, with what it has sanitised.',
        },
        { selector: 'AssignmentExpression[left.property.name="innerHTML"]', message: 'No HTML from texts.' },
      ],
    },
  },
  { files: ['web/src/api.ts'], rules: { 'no-restricted-globals': 'off' } },
  { files: ['examples/*.ts', 'client/examples/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      // A suite is as long as what it covers.
      'max-lines': 'off',
      // Tests look into answers freely; what is there is what they assert.
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
  {
    files: [
      'scripts/**',
      'bench/**',
      'test/**/*.mjs',
      'home-page/**',
      'playground/**',
      '*.js',
      '*.cjs',
      '*.mjs',
      'src/cli.ts',
      'src/serve.ts',
    ],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        module: 'writable',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
      },
    },
    rules: { 'no-console': 'off' },
  },
);
