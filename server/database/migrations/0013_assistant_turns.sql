CREATE TABLE "assistant_days" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"free_answers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "assistant_days_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
ALTER TABLE "assistant_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "assistant_turns" (
	"document_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "assistant_turns_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"intent" text NOT NULL,
	"message" text NOT NULL,
	"scope" text,
	"log_message" jsonb,
	"base_version" integer NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"error" jsonb,
	"description" text,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"before" text,
	"after" text,
	"decision" jsonb,
	"change_id" uuid NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistant_turns_document_id_request_id_pk" PRIMARY KEY("document_id","request_id"),
	CONSTRAINT "assistant_turns_state" CHECK ("assistant_turns"."state" in ('running', 'answered', 'changed', 'failed', 'cancelled', 'interrupted')),
	CONSTRAINT "assistant_turns_intent" CHECK ("assistant_turns"."intent" in ('ask', 'explain', 'fix'))
);
--> statement-breakpoint
ALTER TABLE "assistant_turns" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "assistant_days" ADD CONSTRAINT "assistant_days_user_id_user_credits_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user_credits"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_turns" ADD CONSTRAINT "assistant_turns_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assistant_turns_order" ON "assistant_turns" USING btree ("document_id","number");--> statement-breakpoint
CREATE INDEX "assistant_turns_user" ON "assistant_turns" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "assistant_turns_running" ON "assistant_turns" USING btree ("document_id") WHERE state = 'running';--> statement-breakpoint
-- A Supabase grants new tables to its public roles; nobody but the server reads these.
REVOKE ALL ON "assistant_turns", "assistant_days" FROM PUBLIC, anon, authenticated;
