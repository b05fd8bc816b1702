CREATE TABLE "document_figures" (
	"document_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"media_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "document_figures_document_id_name_pk" PRIMARY KEY("document_id","name")
);
--> statement-breakpoint
ALTER TABLE "document_figures" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "document_pages" (
	"document_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"key" text NOT NULL,
	"media_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	CONSTRAINT "document_pages_document_id_number_pk" PRIMARY KEY("document_id","number")
);
--> statement-breakpoint
ALTER TABLE "document_pages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "document_shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"document_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "document_shares_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "document_shares" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "document_versions" (
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"latex" text NOT NULL,
	"title" text NOT NULL,
	"name" text,
	"cause" text NOT NULL,
	"save_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_versions_document_id_version_pk" PRIMARY KEY("document_id","version"),
	CONSTRAINT "document_versions_cause" CHECK ("document_versions"."cause" in ('create', 'edit', 'merge', 'assistant', 'restore'))
);
--> statement-breakpoint
ALTER TABLE "document_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"folder_id" uuid,
	"title" text NOT NULL,
	"latex" text NOT NULL,
	"engine" text,
	"version" integer DEFAULT 1 NOT NULL,
	"save_id" uuid,
	"source_map" jsonb,
	"starred_at" timestamp with time zone,
	"trashed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	"thinned_at" timestamp with time zone,
	"page_count" integer,
	"pdf_key" text,
	"pdf_size_bytes" integer,
	"pdf_version" integer,
	"compiled_version" integer DEFAULT 0 NOT NULL,
	"compile_lease_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "documents" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "folders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"parent_id" uuid,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "folders" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "document_figures" ADD CONSTRAINT "document_figures_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_pages" ADD CONSTRAINT "document_pages_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_shares" ADD CONSTRAINT "document_shares_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_folder_id_folders_id_fk" FOREIGN KEY ("folder_id") REFERENCES "public"."folders"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folders" ADD CONSTRAINT "folders_parent_id_folders_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."folders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "document_shares_document" ON "document_shares" USING btree ("document_id");--> statement-breakpoint
CREATE UNIQUE INDEX "document_versions_save" ON "document_versions" USING btree ("document_id","save_id");--> statement-breakpoint
CREATE UNIQUE INDEX "documents_save" ON "documents" USING btree ("user_id","save_id");--> statement-breakpoint
CREATE INDEX "documents_user_title" ON "documents" USING btree ("user_id",lower(title),"id");--> statement-breakpoint
CREATE INDEX "documents_folder" ON "documents" USING btree ("folder_id");--> statement-breakpoint
CREATE INDEX "documents_trash" ON "documents" USING btree ("trashed_at") WHERE trashed_at is not null;--> statement-breakpoint
CREATE INDEX "documents_to_compile" ON "documents" USING btree ("saved_at") WHERE compiled_version < version;--> statement-breakpoint
CREATE INDEX "folders_user" ON "folders" USING btree ("user_id","parent_id");--> statement-breakpoint
CREATE INDEX "folders_parent" ON "folders" USING btree ("parent_id");--> statement-breakpoint
-- A Supabase grants new tables to its public roles; nobody but the server reads these.
REVOKE ALL ON "folders", "documents", "document_figures", "document_pages", "document_versions", "document_shares" FROM PUBLIC, anon, authenticated;
