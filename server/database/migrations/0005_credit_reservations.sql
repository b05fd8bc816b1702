CREATE TABLE "private"."credit_reservations" (
	"subject" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"open" integer[] NOT NULL,
	"paid" integer[] DEFAULT '{}' NOT NULL,
	"free" integer[] DEFAULT '{}' NOT NULL,
	"postings" integer DEFAULT 0 NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credit_reservations_kind" CHECK ("private"."credit_reservations"."kind" in ('conversion', 'assistant'))
);
--> statement-breakpoint
CREATE INDEX "credit_reservations_open" ON "private"."credit_reservations" USING btree ("changed_at") WHERE open <> '{}';--> statement-breakpoint
CREATE INDEX "credit_reservations_user" ON "private"."credit_reservations" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "private"."credit_reservations" ADD CONSTRAINT "credit_reservations_account" FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE;
