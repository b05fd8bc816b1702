CREATE TABLE "private"."document_search" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"places" integer[] NOT NULL,
	"formulas" text NOT NULL,
	"tokens" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "private"."search_words" (
	"user_id" uuid NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	"documents" integer NOT NULL,
	"titles" integer NOT NULL,
	"length" integer NOT NULL,
	"letters" integer NOT NULL,
	CONSTRAINT "search_words_user_id_word_pk" PRIMARY KEY("user_id","word")
);
--> statement-breakpoint
CREATE INDEX "document_search_user" ON "private"."document_search" USING btree ("user_id","changed_at");--> statement-breakpoint
CREATE INDEX "document_search_tokens" ON "private"."document_search" USING gin ("tokens") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "search_words_alike" ON "private"."search_words" USING btree ("user_id","length","letters","word");--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD CONSTRAINT "document_search_document" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade;--> statement-breakpoint
-- The numbers lie out of line and as they are: rows are read by the thousand, and theirs only where they are compared.
ALTER TABLE "private"."document_search" SET (toast_tuple_target = 128);--> statement-breakpoint
ALTER TABLE "private"."document_search" ALTER COLUMN "tokens" SET STORAGE EXTERNAL;
