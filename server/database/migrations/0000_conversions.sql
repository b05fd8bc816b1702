CREATE TABLE "conversion_events" (
	"conversion_id" uuid NOT NULL,
	"id" integer NOT NULL,
	"type" text NOT NULL,
	"page_number" integer,
	"state" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversion_events_conversion_id_id_pk" PRIMARY KEY("conversion_id","id")
);
--> statement-breakpoint
CREATE TABLE "conversion_pages" (
	"conversion_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"file_index" integer NOT NULL,
	"page_index" integer NOT NULL,
	"state" text NOT NULL,
	"transcription" jsonb,
	"error" jsonb,
	"preview_key" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_token" uuid,
	"lease_until" timestamp with time zone,
	"leased_at" timestamp with time zone,
	CONSTRAINT "conversion_pages_conversion_id_number_pk" PRIMARY KEY("conversion_id","number")
);
--> statement-breakpoint
CREATE TABLE "conversion_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"caller_id" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"renewed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "conversions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"caller_id" text NOT NULL,
	"state" text NOT NULL,
	"page_count" integer NOT NULL,
	"files" jsonb NOT NULL,
	"drawings" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_event_id" integer DEFAULT 0 NOT NULL,
	"result" jsonb,
	"error" jsonb,
	"assembly_attempts" integer DEFAULT 0 NOT NULL,
	"assembly_token" uuid,
	"assembly_lease_until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"dismissed_at" timestamp with time zone,
	"work_files_gone_at" timestamp with time zone,
	"all_files_gone_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "conversion_events" ADD CONSTRAINT "conversion_events_conversion_id_conversions_id_fk" FOREIGN KEY ("conversion_id") REFERENCES "public"."conversions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversion_pages" ADD CONSTRAINT "conversion_pages_conversion_id_conversions_id_fk" FOREIGN KEY ("conversion_id") REFERENCES "public"."conversions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversion_pages_queue" ON "conversion_pages" USING btree ("state") WHERE state in ('waiting', 'reading');--> statement-breakpoint
CREATE INDEX "conversion_uploads_caller" ON "conversion_uploads" USING btree ("caller_id");--> statement-breakpoint
CREATE INDEX "conversions_caller" ON "conversions" USING btree ("caller_id");--> statement-breakpoint
CREATE INDEX "conversions_active" ON "conversions" USING btree ("state") WHERE state in ('reading', 'assembling');--> statement-breakpoint
CREATE INDEX "conversions_to_sweep" ON "conversions" USING btree ("last_attempt_at") WHERE all_files_gone_at is null;