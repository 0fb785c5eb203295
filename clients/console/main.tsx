// Starts the console in the page that loaded it.
import './style.css';
import './parts.css';
import './lists.css';
import './form.css';
import './run.css';
import './chart.css';
import './import.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { startSession } from './session.ts';

const root = document.getElementById('app');
if (root) {
  startSession();
  render(<App />, root);
}
