/*
 * Stands in for a TeX engine while native/warm.c is fuzzed: opens main.tex and its outputs, looks for other files, reads
 * line by line, writes what it read, and prints `[1]` on the terminal for pages. Built together with warm.c under the
 * address and undefined behaviour sanitizers; commands come from the test.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char line[400], name[64];
  FILE *text = fopen("main.tex", "r");
  if (!text) return 3;
  /* like XeTeX looking for a byte order mark */
  int first = getc(text), second = getc(text);
  if (first != EOF && second != EOF) rewind(text);
  FILE *log = fopen("main.log", "w"), *aux = fopen("./main.aux", "w");
  if (!log || !aux) return 3;
  for (int count = 1; fgets(line, sizeof line, text); count++) {
    fprintf(log, "%s", line);
    if (count % 3 == 0) fprintf(aux, "line %d\n", count);
    if (count % 5 == 0) { printf("[%d] ", count); fflush(stdout); }
    snprintf(name, sizeof name, "%.40s", line + strspn(line, "\\%"));
    name[strcspn(name, "\n")] = 0;
    access(name, R_OK);
    if (count % 4 == 0) {
      FILE *other = fopen(name[0] ? name : "x", count % 8 ? "r" : "w");
      if (other) { if (count % 8 == 0) fprintf(other, "%d\n", count); if (count % 3) fclose(other); }
      int fd = open(name[0] ? name : "y", O_CREAT | O_WRONLY, 0644);
      if (fd >= 0) { if (write(fd, "y", 1) < 0) return 4; if (count % 3) close(fd); }
    }
  }
  fclose(text);
  fclose(aux);
  fclose(log);
  return 0;
}
