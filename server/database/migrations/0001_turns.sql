ALTER TABLE "conversion_uploads" ADD COLUMN "turn" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "conversions" ADD COLUMN "turn" text DEFAULT '' NOT NULL;