CREATE SCHEMA IF NOT EXISTS "private";
--> statement-breakpoint
CREATE TABLE "credit_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "credit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid,
	"kind" text NOT NULL,
	"conversion" integer DEFAULT 0 NOT NULL,
	"assistant" integer DEFAULT 0 NOT NULL,
	"cause" jsonb NOT NULL,
	"idempotency_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credit_entries_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "credit_entries_kind" CHECK ("credit_entries"."kind" in ('grant', 'purchase', 'reserve', 'settle', 'release', 'refund', 'dispute', 'adjustment')),
	CONSTRAINT "credit_entries_sign" CHECK (case when "credit_entries"."kind" in ('grant', 'purchase', 'release') then "credit_entries"."conversion" >= 0 and "credit_entries"."assistant" >= 0 when "credit_entries"."kind" = 'reserve' then "credit_entries"."conversion" <= 0 and "credit_entries"."assistant" <= 0 else true end)
);
--> statement-breakpoint
ALTER TABLE "credit_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "page_conversion_totals" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"net_pages" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "page_conversion_totals_one_row" CHECK ("page_conversion_totals"."id" = 1),
	CONSTRAINT "page_conversion_totals_net" CHECK ("page_conversion_totals"."net_pages" >= 0)
);
--> statement-breakpoint
ALTER TABLE "page_conversion_totals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "user_credits" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"conversion_credits" integer DEFAULT 0 NOT NULL,
	"assistant_credits" integer DEFAULT 0 NOT NULL,
	"document_limit" integer DEFAULT 200 NOT NULL,
	CONSTRAINT "user_credits_conversion" CHECK ("user_credits"."conversion_credits" >= 0),
	CONSTRAINT "user_credits_assistant" CHECK ("user_credits"."assistant_credits" >= 0),
	CONSTRAINT "user_credits_documents" CHECK ("user_credits"."document_limit" >= 0)
);
--> statement-breakpoint
ALTER TABLE "user_credits" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "private"."disposable_domains" (
	"domain" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "private"."granted_mailboxes" (
	"mailbox_hash" "bytea" PRIMARY KEY NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "private"."settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversion_events" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversion_pages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversion_uploads" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "conversions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "credit_entries_user" ON "credit_entries" USING btree ("user_id","id");