CREATE TABLE "auth"."known_devices" (
	"user_id" uuid NOT NULL,
	"device" text NOT NULL,
	"last_sign_in_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_user_id_device_pk" PRIMARY KEY("user_id","device")
);
--> statement-breakpoint
CREATE TABLE "auth"."recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" DROP CONSTRAINT "one_time_tokens_user_id_token_type_key";--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" ADD COLUMN "password_hash" text;--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" ADD COLUMN "user_meta_data" jsonb;--> statement-breakpoint
ALTER TABLE "auth"."known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "one_time_tokens_user_id_idx" ON "auth"."one_time_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "one_time_tokens_one_of_a_kind" ON "auth"."one_time_tokens" USING btree ("user_id","token_type") WHERE "auth"."one_time_tokens"."token_type" <> 'signup';--> statement-breakpoint
-- links that are on their way already: each account has one, which belongs to the password it has now
UPDATE "auth"."one_time_tokens" SET "password_hash" = "users"."encrypted_password", "user_meta_data" = "users"."raw_user_meta_data"
  FROM "auth"."users" WHERE "users"."id" = "one_time_tokens"."user_id" AND "one_time_tokens"."token_type" = 'signup';
