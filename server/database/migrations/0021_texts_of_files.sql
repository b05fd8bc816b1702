CREATE TABLE "private"."document_texts" (
	"document_id" uuid NOT NULL,
	"name" text NOT NULL,
	"latex" text NOT NULL,
	CONSTRAINT "document_texts_document_id_name_pk" PRIMARY KEY("document_id","name")
);
--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "files" jsonb;--> statement-breakpoint
ALTER TABLE "private"."document_texts" ADD CONSTRAINT "document_texts_file" FOREIGN KEY ("document_id","name") REFERENCES "public"."document_figures"("document_id","name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE OR REPLACE FUNCTION private.mark_search_due_by_file() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  INSERT INTO private.search_due (document_id) VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.document_id ELSE NEW.document_id END);
  RETURN NULL;
END $$;--> statement-breakpoint
REVOKE ALL ON FUNCTION private.mark_search_due_by_file() FROM PUBLIC, anon, authenticated;--> statement-breakpoint
CREATE OR REPLACE TRIGGER document_texts_search_due AFTER INSERT OR UPDATE OR DELETE ON "private"."document_texts" FOR EACH ROW EXECUTE FUNCTION private.mark_search_due_by_file();
