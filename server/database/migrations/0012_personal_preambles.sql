CREATE TABLE "personal_preambles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"version" integer NOT NULL,
	"preamble" text NOT NULL,
	"notation" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "personal_preambles" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
REVOKE ALL ON "personal_preambles" FROM PUBLIC, anon, authenticated;