/**
 * The Back to School weeks: 1 August to 31 October, by the visitor's clock. Decided in the head before the first
 * paint, as `data-season`, so that a prerendered page shows its banner without a layout shift.
 */
export const backToSchool = 'back-to-school';

/** Runs in the head; months count from 0. */
export const applySeasonScript = `try{var m=new Date().getMonth();if(m>6&&m<10)document.documentElement.dataset.season='${backToSchool}'}catch(e){}`;
