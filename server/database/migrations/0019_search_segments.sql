-- Nothing is rewritten here: what was indexed goes on answering, and the worker packs it library by library.
CREATE TABLE "private"."search_segments" (
	"library" integer NOT NULL,
	"first" text COLLATE "C" NOT NULL,
	"entries" "bytea" NOT NULL,
	CONSTRAINT "search_segments_library_first_pk" PRIMARY KEY("library","first")
);
--> statement-breakpoint
ALTER TABLE "private"."document_search" ALTER COLUMN "body" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ALTER COLUMN "places" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ALTER COLUMN "headings" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ALTER COLUMN "words" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "content" "bytea";--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "word_row" "bytea";--> statement-breakpoint
ALTER TABLE "private"."search_libraries" ADD COLUMN "unpacked" integer DEFAULT 1000000 NOT NULL;--> statement-breakpoint
ALTER TABLE "private"."search_libraries" ALTER COLUMN "unpacked" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "private"."search_libraries" ADD COLUMN "changed_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
-- A segment fits into a page, and the columns of a document are compressed or not worth it.
ALTER TABLE "private"."search_segments" ALTER COLUMN "entries" SET STORAGE PLAIN;--> statement-breakpoint
ALTER TABLE "private"."document_search" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "private"."document_search" ALTER COLUMN "word_row" SET STORAGE EXTERNAL;
