// Shows why a call failed: a sentence with a next step, and below it the service's own words.
import { failureWords as words } from '../texts/failure-words.ts';
import '../styles/failure-line.css';
import { explainFailure, isOwnRefusal } from './explain-failure.ts';

export function FailureLine({ error, of }: { error: string; of: string }) {
  const explained = explainFailure(error, of);
  if (explained === null) return <p class="failure-line">{error}</p>;
  return (
    <div class="failure-line">
      <p>
        {explained.what} {explained.next}
      </p>
      {/* The gateway's own code says no more than the sentence. */}
      {!isOwnRefusal(error) && (
        <p class="failure-said">
          {words.said(of)} <span>{error}</span>
        </p>
      )}
    </div>
  );
}
