CREATE TABLE "private"."payment_disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_intent" text NOT NULL,
	"charge" text,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_disputes_state" CHECK ("private"."payment_disputes"."state" in ('inquiry', 'open', 'lost', 'won'))
);
--> statement-breakpoint
CREATE TABLE "private"."payment_refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_intent" text NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_refunds_state" CHECK ("private"."payment_refunds"."state" in ('pending', 'succeeded', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "private"."payments" (
	"payment_intent" text PRIMARY KEY NOT NULL,
	"refunded_seen" integer NOT NULL,
	"currency" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "private"."purchases" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"mode" text NOT NULL,
	"bundle" text NOT NULL,
	"conversion" integer NOT NULL,
	"assistant" integer NOT NULL,
	"country" text NOT NULL,
	"currency" text NOT NULL,
	"price" integer NOT NULL,
	"amount" integer,
	"session_id" text,
	"payment_intent" text,
	"charge" text,
	"receipt_url" text,
	"state" text DEFAULT 'open' NOT NULL,
	"mismatch" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp with time zone,
	CONSTRAINT "purchases_session_id_unique" UNIQUE("session_id"),
	CONSTRAINT "purchases_payment_intent_unique" UNIQUE("payment_intent"),
	CONSTRAINT "purchases_mode" CHECK ("private"."purchases"."mode" in ('local', 'test', 'live')),
	CONSTRAINT "purchases_state" CHECK ("private"."purchases"."state" in ('open', 'expired', 'processing', 'failed', 'paid', 'mismatched'))
);
--> statement-breakpoint
CREATE TABLE "private"."stripe_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"outcome" text NOT NULL,
	"purchase" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "payment_disputes_payment" ON "private"."payment_disputes" USING btree ("payment_intent");--> statement-breakpoint
CREATE INDEX "payment_refunds_payment" ON "private"."payment_refunds" USING btree ("payment_intent");--> statement-breakpoint
CREATE INDEX "purchases_user" ON "private"."purchases" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "purchases_created" ON "private"."purchases" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "stripe_events_received" ON "private"."stripe_events" USING btree ("received_at");--> statement-breakpoint
-- A purchase outlives the account, without it.
ALTER TABLE "private"."purchases" ADD CONSTRAINT "purchases_account" FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE SET NULL;
--> statement-breakpoint
CREATE INDEX "credit_entries_purchase" ON "credit_entries" ((cause ->> 'purchase')) WHERE (cause ->> 'purchase') IS NOT NULL;
