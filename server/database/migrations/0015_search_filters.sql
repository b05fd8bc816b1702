DROP INDEX "private"."document_search_saved";--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "folder_id" uuid;--> statement-breakpoint
ALTER TABLE "private"."document_search" ADD COLUMN "is_starred" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "private"."document_search" s SET "folder_id" = d."folder_id", "is_starred" = d."starred_at" IS NOT NULL FROM "documents" d WHERE d."id" = s."document_id";--> statement-breakpoint
CREATE INDEX "document_search_folder" ON "private"."document_search" USING btree ("library","folder_id","number");--> statement-breakpoint
CREATE INDEX "document_search_starred" ON "private"."document_search" USING btree ("library","number") WHERE is_starred;--> statement-breakpoint
CREATE INDEX "document_search_saved" ON "private"."document_search" USING btree ("library","saved_at","number");--> statement-breakpoint
CREATE OR REPLACE TRIGGER documents_search_due_again AFTER UPDATE ON "documents" FOR EACH ROW
WHEN (OLD.version <> NEW.version OR OLD.title <> NEW.title OR OLD.user_id <> NEW.user_id OR (OLD.trashed_at IS NULL) <> (NEW.trashed_at IS NULL)
  OR OLD.folder_id IS DISTINCT FROM NEW.folder_id OR (OLD.starred_at IS NULL) <> (NEW.starred_at IS NULL))
EXECUTE FUNCTION private.mark_search_due();
