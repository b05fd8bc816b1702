CREATE TABLE "private"."document_file_versions" (
	"document_id" uuid NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"latex" text NOT NULL,
	"ended_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_file_versions_document_id_name_ended_at_pk" PRIMARY KEY("document_id","name","ended_at")
);
--> statement-breakpoint
ALTER TABLE "private"."document_file_versions" ADD CONSTRAINT "document_file_versions_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;